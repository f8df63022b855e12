import type { JsonSchema } from '../../types/tool.js'
import { count, list, ordinal, path, shape, text, yes } from './shapes.js'

// These schemas are in a separate file, so that programs without these tools do not include them.

export const preview: JsonSchema = shape(
  {
    loaded: yes('Whether the page has loaded.'),
    url: text('As seen by the page.'),
    title: text(),
    text: text('The visible text.'),
    outline: text('Headings, links, buttons, fields and images, one per line.'),
    note: text('Why text is missing.'),
    events: list({ type: 'object' }, 'Messages of the page and its builds, oldest first: "type", "cursor" and fields of the type.'),
    missed: count('Number of messages not listed.'),
    next: count('The "after" of the next call.'),
    picture: text('Media type of the picture, which is returned as content.'),
  },
  ['url', 'title', 'text', 'outline', 'note', 'picture'],
)

const messages = (): JsonSchema =>
  list(
    shape({ text: text(), file: path(), line: ordinal(), column: ordinal(), code: text('The source line.') }, [
      'file',
      'line',
      'column',
      'code',
    ]),
  )

export const bundle: JsonSchema = shape({
  ok: yes('Whether the build succeeded.'),
  folder: path(),
  files: list(shape({ path: path(), bytes: count() })),
  errors: messages(),
  warnings: messages(),
})
