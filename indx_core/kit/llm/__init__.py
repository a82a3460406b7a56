"""Calls to language and vision models through LiteLLM: the rules every lane that uses a model shares.

What belongs here: where a model computes, how it is asked, what it charged, and what its failures are called. What does
not: what a lane asks and how it reads the answer; each lane's folder has its own prompt and its own settings.
"""
