import assert from 'node:assert/strict'
import { addNote, listNotes, removeNote } from './notes.js'

const before = listNotes().length
const note = addNote('Test')
assert.equal(listNotes().length, before + 1)
assert.equal(removeNote(note.id), true)
assert.equal(removeNote(note.id), false)
assert.equal(listNotes().length, before)
console.log('All tests passed')
