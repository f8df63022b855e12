// Shows a workspace in a page. A separate subpath, because no other entry loads this code.
export type {
  BuildMessage,
  BuildOutput,
  BuildResult,
  Bundler,
  ConsoleLevel,
  PreviewEvent,
  PreviewEventPage,
  PreviewReport,
  PreviewSnapshot,
  SourcePosition,
} from '../types/preview.js'
export type { CreatePreviewOptions, Preview } from './preview/create-preview.js'
export { createPreview } from './preview/create-preview.js'
export type { EventLog, EventLogOptions } from './preview/event-log.js'
export { createEventLog } from './preview/event-log.js'
export type { PreviewHandlerOptions } from './preview/handler.js'
export { createPreviewHandler } from './preview/handler.js'
export type { PreviewGrants } from './preview/headers.js'
export type { PreviewProgram } from './preview/program-pages.js'
export type { PreviewOptions } from './preview/session.js'
