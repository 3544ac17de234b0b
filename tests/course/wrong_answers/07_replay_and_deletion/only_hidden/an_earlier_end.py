# An end before every beginning is an end for good.
def delete(self, memory_id):
    with self.database.writing() as connection:
        ended = connection.execute(
            "UPDATE memories SET expires_at = 0 WHERE memory_id = ? AND expires_at IS NOT 0",
            (memory_id,),
        ).rowcount
    return ended == 1
