"""The pages: what each shows, and what is done with what comes from it."""
