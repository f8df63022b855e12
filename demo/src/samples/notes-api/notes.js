const notes = [{ id: 1, text: 'Change server.js, then start it again' }]
let lastId = 1

export function listNotes() {
  return notes
}

export function addNote(text) {
  lastId += 1
  const note = { id: lastId, text }
  notes.push(note)
  return note
}

/** Whether there was such a note. */
export function removeNote(id) {
  const index = notes.findIndex((note) => note.id === id)
  if (index < 0) return false
  notes.splice(index, 1)
  return true
}
