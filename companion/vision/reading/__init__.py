"""Photos of one table to a reading: stages in order, several photos pooled, the result as picture and JSON."""
