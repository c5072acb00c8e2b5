/** Small pictures beside words; the words say what they mean. */
const PATHS: Record<string, string> = {
  chat: 'M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5z',
  memory: 'M6 4h9l3 3v13H6zM9 9h6M9 12.5h6M9 16h4',
  dreams: 'M19 14.5A7.5 7.5 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5zM17 4v4M15 6h4',
  sessions: 'M4 7a8.5 8.5 0 1 1-.5 7M4 3v4h4M12 8v4.5l3 2',
  tasks: 'M4 6h4v4H4zM4 15h4v4H4zM11 8h9M11 17h9',
  schedules: 'M5 6h14v14H5zM5 10.5h14M9 3.5V7M15 3.5V7',
  usage: 'M5 20V11M12 20V4M19 20v-6',
  background: 'M4 12h4l2.5-6 4 12 2.5-6h3',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.7v4.6M9 14.7v4.6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  plus: 'M12 5v14M5 12h14',
  send: 'M5 12h13M12.5 6l6 6-6 6',
  stop: 'M7 7h10v10H7z',
  pin: 'M9 4h6l-1 6 3 3H7l3-3zM12 13v7',
  back: 'M19 12H6M11 6l-6 6 6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  search: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5L20 20',
  undo: 'M5 9h9a5 5 0 0 1 0 10H9M8.5 5.5L5 9l3.5 3.5',
  chevron: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  bulb: 'M9 17.5h6M10 20h4M8.5 14a5.5 5.5 0 1 1 7 0c-.6.6-.8 1.2-.8 2h-5.4c0-.8-.2-1.4-.8-2z',
}

export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name] ?? ''} />
    </svg>
  )
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="mark-ground" width="32" height="32" rx="9" />
      <path class="mark-moon" d="M20.6 20.3A8.2 8.2 0 0 1 12 8.2a8.6 8.6 0 1 0 11.6 10.9 8 8 0 0 1-3 1.2Z" />
      <circle class="mark-star" cx="21.4" cy="10.4" r="1.7" />
    </svg>
  )
}
