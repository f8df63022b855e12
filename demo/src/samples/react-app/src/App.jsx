import { useState } from 'react'
import { Task } from './Task.jsx'

const FIRST = [
  { id: 1, text: 'Change this text in src/App.jsx', done: false },
  { id: 2, text: 'See the app in the preview', done: true },
]

export function App() {
  const [tasks, setTasks] = useState(FIRST)
  const [text, setText] = useState('')
  const open = tasks.filter((task) => !task.done).length

  function add(event) {
    event.preventDefault()
    if (text.trim() === '') return
    setTasks([...tasks, { id: Date.now(), text: text.trim(), done: false }])
    setText('')
  }

  function toggle(id) {
    setTasks(tasks.map((task) => (task.id === id ? { ...task, done: !task.done } : task)))
  }

  return (
    <main>
      <h1>Tasks</h1>
      <p>{open} open</p>
      <ul>
        {tasks.map((task) => (
          <Task key={task.id} task={task} onToggle={() => toggle(task.id)} />
        ))}
      </ul>
      <form onSubmit={add}>
        <input aria-label="New task" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Add</button>
      </form>
    </main>
  )
}
