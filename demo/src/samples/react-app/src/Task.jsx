export function Task({ task, onToggle }) {
  return (
    <li>
      <label className={task.done ? 'done' : ''}>
        <input type="checkbox" checked={task.done} onChange={onToggle} />
        {task.text}
      </label>
    </li>
  )
}
