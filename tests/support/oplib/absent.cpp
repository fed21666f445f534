// Nothing: a library that another one needs and nobody finds, and the one that needs it.
