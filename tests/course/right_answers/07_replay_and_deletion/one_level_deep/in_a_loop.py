# The arrows are read once and followed in Python until nothing new is found.
def derived_from(self, memory_id):
    arrows = self.database.read("SELECT summary_id, kind, source_id, current FROM sources")
    reached, before = {("memory", memory_id)}, 0
    while before < len(reached):
        before = len(reached)
        reached |= {("summary", arrow["summary_id"]) for arrow in arrows if (arrow["kind"], arrow["source_id"]) in reached}
    found = {a["summary_id"] for a in arrows if a["current"] and (a["kind"], a["source_id"]) in reached}
    return {summary_id: self.get(summary_id) for summary_id in sorted(found)}
