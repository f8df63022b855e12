import type { Case } from '../case.js'
import { arrays } from './arrays.js'
import { awk } from './awk.js'
import { compare } from './compare.js'
import { control } from './control.js'
import { expansion } from './expansion.js'
import { files } from './files.js'
import { filters } from './filters.js'
import { findXargs } from './find-xargs.js'
import { functionsJobs } from './functions-jobs.js'
import { grep } from './grep.js'
import { hereDocuments } from './here-documents.js'
import { json } from './json.js'
import { loops } from './loops.js'
import { pipes } from './pipes.js'
import { scripts } from './scripts.js'
import { sed } from './sed.js'

/** Every family by name. No git, node, python or npm anywhere: no virtual shell has them. */
export const CORPUS: Readonly<Record<string, readonly Case[]>> = {
  arrays,
  awk,
  compare,
  control,
  expansion,
  files,
  filters,
  findXargs,
  functionsJobs,
  grep,
  hereDocuments,
  json,
  loops,
  pipes,
  scripts,
  sed,
}
