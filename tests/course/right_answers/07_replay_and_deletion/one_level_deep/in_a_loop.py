# The arrows are read once and followed in Python until nothing new is found.
def derived_from(self, memory_id):
    arrows = self.database.read("SELECT summary_id, kind, source_id FROM sources WHERE current")
    reached, found = {("memory", memory_id)}, {}
    while True:
        new = {row["summary_id"] for row in arrows if (row["kind"], row["source_id"]) in reached}
        new -= found.keys()
        if not new:
            return found
        found |= {summary_id: self.get(summary_id) for summary_id in sorted(new)}
        reached |= {("summary", summary_id) for summary_id in new}
