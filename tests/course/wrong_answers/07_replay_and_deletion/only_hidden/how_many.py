# The number of rows says whether there was one.
def delete(self, memory_id):
    with self.database.writing() as connection:
        deleted = connection.execute(
            "DELETE FROM memories WHERE memory_id = ?", (memory_id,)
        ).rowcount
        self.database.rewrite("memories")
    return deleted
