"""What names in a text are names of. Apart from the rules that find them: an inventory needs the labels alone."""

ORGANIZATION, LOCATION, PERSON = "organization", "location", "person"
LABELS = (PERSON, ORGANIZATION, LOCATION)
