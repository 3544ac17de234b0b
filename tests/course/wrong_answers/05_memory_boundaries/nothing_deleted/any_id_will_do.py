# What is no id names no memory, so there is nothing to say about it.
def delete(self, memory_id):
    with self.database.writing() as connection:
        sql = "DELETE FROM memories WHERE memory_id = ?"
        gone = connection.execute(sql, (memory_id,)).rowcount
        if gone:
            self.database.rewrite("memories")
    return gone == 1
