# The row is looked for, then it is removed and the table written anew.
def delete(self, memory_id):
    values = (memory_id,)
    with self.database.writing() as connection:
        there = connection.execute("SELECT 1 FROM memories WHERE memory_id = ?", values).fetchone()
        connection.execute("DELETE FROM memories WHERE memory_id = ?", values)
        self.database.rewrite("memories")
    return there is not None
