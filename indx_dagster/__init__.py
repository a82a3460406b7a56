"""The Dagster code location: definitions, jobs, and the commands that start runs. Re-exports nothing."""
