/** A file or directory in a listing. */
export interface DeepAgentsFileInfo {
  /** Absolute; ends with `/` for a directory. */
  path: string
  is_dir: boolean
  /** Bytes. Absent for directories, links and results of `glob`. */
  size?: number
}

/** A line that matches. */
export interface DeepAgentsGrepMatch {
  path: string
  /** From 1. */
  line: number
  text: string
}

/** The result of `ls` and `glob`: the files or an error text. */
export interface DeepAgentsFiles {
  error?: string
  files?: DeepAgentsFileInfo[]
  /** There are more files than these. */
  truncated?: boolean
}

/** The result of `grep`: the matching lines or an error text. */
export interface DeepAgentsMatches {
  error?: string
  matches?: DeepAgentsGrepMatch[]
  /** There are more matches than these. */
  truncated?: boolean
}

/** The result of `read`: lines of text, all bytes of another file, or an error text. */
export interface DeepAgentsRead {
  error?: string
  content?: string | Uint8Array
  mimeType?: string
  totalLines?: number
  /** First and last line of `content`, from 1. */
  startLine?: number
  endLine?: number
  /** Offset of the next line, from 0. Absent at the end of the file. */
  nextOffset?: number
}

/** The result of `readRaw`: the whole file or an error text. The times are ISO 8601, and both are the time of the last change. */
export interface DeepAgentsRaw {
  error?: string
  data?: { content: string | Uint8Array; mimeType: string; created_at: string; modified_at: string }
}

/** The result of a change: the path or an error text. */
export interface DeepAgentsChange {
  error?: string
  path?: string
  /** Always null: the workspace stores the change, not the state of the graph. */
  filesUpdate?: null
  /** Replacements made by `edit`. */
  occurrences?: number
}

/** The result of a command. */
export interface DeepAgentsExecuted {
  /** stdout, then stderr. */
  output: string
  /** 124: the runtime ended the command at its deadline. null: the command did not run or was stopped. */
  exitCode: number | null
  /** The middle of the output is missing. */
  truncated: boolean
}

/** Why one file could not be uploaded or downloaded. */
export type DeepAgentsFileError = 'file_not_found' | 'permission_denied' | 'is_directory' | 'invalid_path'

/** The backend protocol (version 2) of `deepagents`. No method rejects, except with the reason of the signal. */
export interface DeepAgentsBackend {
  ls(path: string): Promise<DeepAgentsFiles>
  /** `offset` is a line, from 0; `limit` is at most 10,000 lines, default 500. */
  read(path: string, offset?: number, limit?: number): Promise<DeepAgentsRead>
  readRaw(path: string): Promise<DeepAgentsRaw>
  /** Searches for plain text. At most `maxCount` lines, default and maximum 5,000. */
  grep(pattern: string, path?: string | null, glob?: string | null, maxCount?: number | null): Promise<DeepAgentsMatches>
  /** At most 10,000 files. */
  glob(pattern: string, path?: string): Promise<DeepAgentsFiles>
  /** For the extensions of images, audio, video, PDF and PowerPoint, `content` is base64. */
  write(path: string, content: string): Promise<DeepAgentsChange>
  edit(path: string, oldString: string, newString: string, replaceAll?: boolean): Promise<DeepAgentsChange>
  /** Removes a file, a link, or a directory with its content. */
  delete(path: string): Promise<DeepAgentsChange>
  uploadFiles(files: [path: string, content: Uint8Array][]): Promise<{ path: string; error: DeepAgentsFileError | null }[]>
  downloadFiles(paths: string[]): Promise<{ path: string; content: Uint8Array | null; error: DeepAgentsFileError | null }[]>
  /** Runs in a fresh shell. Absent if the runtime has no `bash`. */
  execute?(command: string): Promise<DeepAgentsExecuted>
  /** Present together with `execute`. */
  readonly id?: string
}
