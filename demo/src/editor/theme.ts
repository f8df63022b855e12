import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const button = {
  minHeight: '24px',
  margin: '0',
  padding: '0 8px',
  border: '1px solid var(--control-line)',
  borderRadius: 'var(--radius)',
  background: 'var(--panel)',
  color: 'var(--ink)',
  font: '500 12px var(--sans)',
  cursor: 'pointer',
}

const underlined = (token: string): Record<string, string> => ({
  textDecoration: `underline 1px color-mix(in srgb, var(${token}) 55%, transparent)`,
  textUnderlineOffset: '3px',
})

/** Uses the page's design tokens, which adapt to light and dark mode. */
const looks = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--panel)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '12.5px', lineHeight: 'var(--line-height)' },
  '.cm-content': { padding: '8px 0 40px', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 24px 0 12px' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--accent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--term-selection)',
  },
  '.cm-gutters': {
    backgroundColor: 'var(--panel)',
    color: 'var(--ink-faint)',
    border: 'none',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: 'calc(var(--digits, 3) * 1ch + 32px)', padding: '0 12px 0 0' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine:not(.is-changed):not(.is-fresh):not(.cm-changedLine)': { backgroundColor: 'var(--editor-line)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLineGutter': { color: 'var(--ink)', backgroundColor: 'var(--editor-line)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--accent)',
  },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--removed-soft)', color: 'var(--removed)' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-searchMatch': { backgroundColor: 'var(--changed-strong)', outline: '1px solid var(--changed-bar)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outline: '2px solid var(--accent)' },
  '.cm-specialChar': { color: 'var(--removed)' },

  '.cm-panels': { backgroundColor: 'var(--panel-low)', color: 'var(--ink)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 40px 8px 12px',
    fontFamily: 'var(--sans)',
  },
  // Puts each field and its buttons on one row, and the search options after them.
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search [name=replace]': { order: '1' },
  '.cm-panel.cm-search button[name^=replace]': { order: '2' },
  '.cm-panel.cm-search label': {
    order: '3',
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    margin: '0 4px 0 0',
    fontSize: '12px',
  },
  '.cm-panel.cm-search input[type=checkbox]': { width: '14px', height: '14px', margin: '0', accentColor: 'var(--accent)' },
  '.cm-panel .cm-textfield': {
    minHeight: '26px',
    flex: '1 0 55%',
    minWidth: '0',
    margin: '0',
    padding: '2px 8px',
    border: '1px solid var(--control-line)',
    borderRadius: 'var(--radius)',
    background: 'var(--panel)',
    color: 'var(--ink)',
    font: '12.5px var(--mono)',
  },
  '.cm-panel .cm-button': { ...button, backgroundImage: 'none' },
  '.cm-panel .cm-button:hover': { background: 'var(--hover)' },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '10px',
    width: '26px',
    height: '26px',
    borderRadius: 'var(--radius)',
    color: 'var(--ink-soft)',
    fontSize: '18px',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search [name=close]:hover': { background: 'var(--hover)' },

  '.cm-deletedChunk': { padding: '0', backgroundColor: 'var(--panel-low)' },
  '.cm-deletedChunk .cm-deletedLine': { padding: '0 24px 0 12px', backgroundColor: 'var(--removed-soft)' },
  '&.cm-editor .cm-deletedChunk .cm-deletedText': { background: 'none', ...underlined('--removed') },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--added-soft)' },
  '&.cm-editor.cm-merge-b .cm-changedText': { background: 'none', ...underlined('--added') },
  '.cm-changedLineGutter, &.cm-merge-b .cm-changedLineGutter': { background: 'var(--added)' },
  '.cm-deletedLineGutter': { background: 'var(--removed)' },
  '.cm-deletedChunk .cm-chunkButtons': {
    // Placed above the lines, because the buttons would cover them.
    position: 'static',
    display: 'flex',
    gap: '6px',
    padding: '3px 12px',
  },
  '.cm-deletedChunk .cm-chunkButtons button': { ...button, minHeight: '22px', lineHeight: '20px' },
  '.cm-deletedChunk .cm-chunkButtons button:hover': { background: 'var(--hover)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""' },
  '.cm-collapsedLines': {
    position: 'sticky',
    left: '0',
    width: 'fit-content',
    borderRadius: 'var(--radius)',
    padding: '4px 12px',
    background: 'var(--panel-low)',
    color: 'var(--accent)',
    fontFamily: 'var(--sans)',
    fontSize: '12px',
  },
})

/** Uses the same classes as the read-only view. */
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.bool, tags.null, tags.self, tags.heading], class: 'tok-keyword' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.monospace, tags.inserted], class: 'tok-string' },
  { tag: [tags.comment, tags.quote, tags.meta, tags.processingInstruction, tags.contentSeparator], class: 'tok-comment' },
  { tag: [tags.number, tags.unit, tags.color, tags.escape, tags.character, tags.atom], class: 'tok-number' },
  {
    tag: [tags.typeName, tags.className, tags.namespace, tags.tagName, tags.definition(tags.propertyName), tags.strong],
    class: 'tok-type',
  },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName, tags.labelName, tags.link],
    class: 'tok-call',
  },
  { tag: [tags.attributeName, tags.url], class: 'tok-call' },
  { tag: [tags.invalid, tags.deleted], class: 'tok-wrong' },
  { tag: tags.emphasis, class: 'tok-emphasis' },
])

export const theme: Extension = [looks, syntaxHighlighting(colours)]
