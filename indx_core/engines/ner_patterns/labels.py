"""What the patterns call what they find. Apart from the patterns, which take 30 CPU ms to compile.

Taking the inventory of an installation needs the names alone.
"""

EMAIL, REGISTRATION, INVOICE = "email", "registration_number", "invoice_number"
DATE = "date"
MONEY = "money"
POSTAL_CODE, PHONE = "postal_code", "phone"

LABELS = (EMAIL, REGISTRATION, INVOICE, DATE, MONEY, POSTAL_CODE, PHONE)
