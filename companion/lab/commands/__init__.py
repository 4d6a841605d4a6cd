"""The commands of the lab by what they are for; `companion.lab.__main__` enters them."""
