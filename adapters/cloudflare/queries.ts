/**
 * The names of all statements. The statements use the three tables of one filesystem: `_fs` with one row of counters, `_nodes` by parent
 * and name, and `_chunks`. Only the table prefix differs between statement texts, so that SQLite can cache the compiled statements.
 *
 * The content of a file is split into chunks: chunk n of file i is the row with the key `i * CHUNKS + n`. Because the key is one integer
 * instead of two columns, the chunks of a file are adjacent in one b-tree.
 */
type QueryName =
  | 'count'
  | 'nextId'
  | 'usage'
  | 'list'
  | 'anyChild'
  | 'addNode'
  | 'fill'
  | 'touch'
  | 'setMeta'
  | 'move'
  | 'remove'
  | 'chunkPart'
  | 'putChunk'
  | 'copyChunks'
  | 'dropChunks'
  | 'measureTree'
  | 'dropTreeChunks'
  | 'dropTree'

export interface Queries extends Readonly<Record<QueryName, string>> {
  /**
   * Finds the entries of `depth` path components below a directory. Bindings: the second and all later names, the directory's id, the first
   * name. Columns: `id` and `kind` of each component, null from the first missing component on; then the columns `LEAF` of the last
   * component; with `depth` > 1, finally the modification time of the last component but one.
   */
  lookup(depth: number): string
}

/** Bytes per chunk. A row should hold at most 1 MiB. Smaller rows make appending cheaper, because an append rewrites the last row. */
export const CHUNK_BYTES: number = 256 * 1024

/**
 * Maximum number of chunks of one file. The limit allows 16 GiB, more than an object can hold. Keys stay exact in a double for 2^37 ids.
 */
export const CHUNKS = 65_536

export const LEAF = ['size', 'mtime', 'mode', 'version', 'target'] as const

/** Maximum number of components per lookup: SQLite allows 64 joined tables and 100 bindings, and longer statements take longer to plan. */
export const LOOKUP_DEPTH = 16

export function createQueries(prefix: string): Queries {
  const [state, nodes, chunks] = [`${prefix}_fs`, `${prefix}_nodes`, `${prefix}_chunks`]
  // Selects the ids of a directory and of all directories below it. The entries of the tree are the nodes whose parent is one of these
  // directories.
  const tree = `WITH RECURSIVE tree(id) AS (
    SELECT ? UNION ALL SELECT n.id FROM tree t CROSS JOIN ${nodes} n WHERE n.parent = t.id AND n.kind = 'dir')`
  const lookups: string[] = []
  return {
    count: `UPDATE ${state} SET bytes = bytes + ?, files = files + ?`,
    nextId: `UPDATE ${state} SET last_id = last_id + 1, bytes = bytes + ?, files = files + 1 RETURNING last_id`,
    usage: `SELECT bytes, files FROM ${state}`,
    list: `SELECT name, kind, size FROM ${nodes} WHERE parent = ?`,
    anyChild: `SELECT 1 FROM ${nodes} WHERE parent = ? LIMIT 1`,
    addNode: `INSERT INTO ${nodes} (parent, name, id, kind, size, mtime, mode, version, target) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    fill: `UPDATE ${nodes} SET size = ?, mtime = ?, version = ? WHERE parent = ? AND name = ?`,
    touch: `UPDATE ${nodes} SET mtime = ? WHERE parent = ? AND name = ?`,
    setMeta: `UPDATE ${nodes} SET mode = coalesce(?, mode), mtime = coalesce(?, mtime) WHERE parent = ? AND name = ?`,
    move: `UPDATE ${nodes} SET parent = ?, name = ? WHERE parent = ? AND name = ?`,
    remove: `DELETE FROM ${nodes} WHERE parent = ? AND name = ?`,
    chunkPart: `SELECT substr(bytes, ?, ?) FROM ${chunks} WHERE id = ?`,
    putChunk: `INSERT OR REPLACE INTO ${chunks} (id, bytes) VALUES (?, ?)`,
    copyChunks: `INSERT INTO ${chunks} (id, bytes) SELECT id + ?, bytes FROM ${chunks} WHERE id BETWEEN ? AND ?`,
    dropChunks: `DELETE FROM ${chunks} WHERE id BETWEEN ? AND ?`,
    measureTree: `${tree} SELECT count(*), coalesce(sum(n.size) FILTER (WHERE n.kind = 'file'), 0)
      FROM tree t CROSS JOIN ${nodes} n WHERE n.parent = t.id`,
    dropTreeChunks: `${tree} DELETE FROM ${chunks} WHERE id IN (
      SELECT c.id FROM tree t CROSS JOIN ${nodes} n CROSS JOIN ${chunks} c
      WHERE n.parent = t.id AND n.kind = 'file' AND c.id BETWEEN n.id * ${CHUNKS} AND n.id * ${CHUNKS} + ${CHUNKS - 1})`,
    dropTree: `${tree} DELETE FROM ${nodes} WHERE parent IN (SELECT id FROM tree)`,
    lookup(depth) {
      lookups[depth] ??= lookupQuery(nodes, depth)
      return lookups[depth]
    },
  }
}

function lookupQuery(nodes: string, depth: number): string {
  const columns: string[] = []
  const joins: string[] = []
  for (let i = 1; i <= depth; i++) {
    columns.push(`n${i}.id`, `n${i}.kind`)
    if (i > 1) joins.push(`LEFT JOIN ${nodes} n${i} ON n${i}.parent = n${i - 1}.id AND n${i}.name = ?`)
  }
  columns.push(...LEAF.map((column) => `n${depth}.${column}`))
  if (depth > 1) columns.push(`n${depth - 1}.mtime`)
  return `SELECT ${columns.join(', ')} FROM ${nodes} n1 ${joins.join(' ')} WHERE n1.parent = ? AND n1.name = ?`
}
