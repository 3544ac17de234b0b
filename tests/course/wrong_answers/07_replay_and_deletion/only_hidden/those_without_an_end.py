# The verb is put right, and the rest of the statement stays.
def delete(self, memory_id):
    with self.database.writing() as connection:
        deleted = connection.execute(
            "DELETE FROM memories WHERE memory_id = ? AND expires_at IS NULL",
            (memory_id,),
        ).rowcount
        self.database.rewrite("memories")
    return deleted == 1
