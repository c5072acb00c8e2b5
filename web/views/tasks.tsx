/** What is to be done, and what waits for what. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { useData } from '../data.ts'
import { Icon } from '../parts/icons.tsx'
import { Act, Empty, Problem, View, Waiting } from '../parts/pieces.tsx'
import { attempt, say } from '../parts/toast.tsx'
import type { Task } from '../types.ts'
import { many } from '../words.ts'
import { cutTo, drawTasks } from './task-graph.ts'

interface Tasks {
  tasks: Task[]
  problems: { problem: string; file: string }[]
}

export function TasksView() {
  const { value, problem } = useData<Tasks>('tasks', ['tasks'])
  const [chosen, setChosen] = useState<number>()
  const tasks = value?.tasks ?? []
  const open = tasks.filter(({ status }) => status !== 'completed')
  const ready = open.filter(task => task.ready)
  const task = tasks.find(({ id }) => id === chosen)
  return (
    <View
      title="Tasks"
      about={
        value &&
        (tasks.length === 0
          ? 'Nothing is to be done.'
          : open.length === 0
            ? 'Everything is done.'
            : `${many(open.length, 'open task')}, ${ready.length} of which could begin now.`)
      }
    >
      <Problem text={problem} />
      {value?.problems.map(({ problem, file }) => (
        <Problem key={file} text={`${file} cannot be used: ${problem}.`} />
      ))}
      <NewTask tasks={open} />
      {!value && !problem && <Waiting />}
      {value && tasks.length === 0 && (
        <Empty title="No tasks yet">
          Write one above, or ask for a plan in a <a href="/">conversation</a>: agents share this list with
          you.
        </Empty>
      )}
      {tasks.length > 0 && <Picture tasks={tasks} chosen={chosen} onChoose={setChosen} />}
      {task && <Chosen task={task} tasks={tasks} onClose={() => setChosen(undefined)} />}
      <ul class="task-list" aria-label="Tasks">
        {tasks
          .toSorted(
            (a, b) => Number(a.status === 'completed') - Number(b.status === 'completed') || a.id - b.id,
          )
          .map(each => (
            <TaskRow key={each.id} task={each} onChoose={() => setChosen(each.id)} />
          ))}
      </ul>
    </View>
  )
}

function TaskRow({ task, onChoose }: { task: Task; onChoose(): void }) {
  const { id, subject, status, owner, blockedBy, ready } = task
  const isDone = status === 'completed'
  return (
    <li class={`task is-${status}`}>
      <button
        type="button"
        class="tick"
        aria-label={isDone ? `Reopen ${subject}` : `Complete ${subject}`}
        aria-pressed={isDone}
        onClick={() => void attempt(() => (isDone ? reopen(id) : complete(id)))}
      >
        {isDone && <Icon name="check" />}
      </button>
      <button type="button" class="task-subject" dir="auto" onClick={onChoose}>
        {subject}
      </button>
      <span class="faint">
        #{id}
        {owner !== null && ` · ${owner}`}
        {!isDone &&
          !ready &&
          status === 'pending' &&
          blockedBy.length > 0 &&
          ` · waits for ${blockedBy.map(each => `#${each}`).join(', ')}`}
      </span>
    </li>
  )
}

async function complete(id: number): Promise<void> {
  const { unblocked } = await api.post<{ unblocked: number[] }>(`tasks/${id}/complete`)
  say(
    unblocked.length === 0
      ? 'Done.'
      : `Done. ${many(unblocked.length, 'task')} can begin now: ${unblocked.map(each => `#${each}`).join(', ')}`,
  )
}

function reopen(id: number): Promise<unknown> {
  return api.patch(`tasks/${id}`, { status: 'pending' })
}

function NewTask({ tasks }: { tasks: Task[] }) {
  const [subject, setSubject] = useState('')
  const [after, setAfter] = useState<number>()
  const add = async () => {
    const blockedBy = after === undefined ? [] : [after]
    if (await attempt(() => api.post('tasks', { subject, blockedBy }))) {
      setSubject('')
      setAfter(undefined)
    }
  }
  return (
    <form
      class="inline card"
      aria-label="New task"
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <input
        class="grow"
        required
        dir="auto"
        value={subject}
        aria-label="What is to be done"
        placeholder="What is to be done?"
        onInput={event => setSubject(event.currentTarget.value)}
      />
      {tasks.length > 0 && (
        <select
          aria-label="Waits for"
          value={after ?? ''}
          onChange={event =>
            setAfter(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
          }
        >
          <option value="">can begin now</option>
          {tasks.map(({ id, subject }) => (
            <option key={id} value={id}>
              after #{id} {subject.slice(0, 40)}
            </option>
          ))}
        </select>
      )}
      <button type="submit" class="solid" disabled={subject.trim() === ''}>
        <Icon name="plus" /> Add
      </button>
    </form>
  )
}

const BOX = { width: 184, height: 46, across: 232, down: 62, margin: 6 }
/** So many letters have room in a box. */
const LETTERS = 23

function Picture({
  tasks,
  chosen,
  onChoose,
}: {
  tasks: Task[]
  chosen: number | undefined
  onChoose(id: number): void
}) {
  const { placed, edges, columns, rows } = drawTasks(tasks)
  if (edges.length === 0) return null
  const width = (columns - 1) * BOX.across + BOX.width + 2 * BOX.margin
  const height = (rows - 1) * BOX.down + BOX.height + 2 * BOX.margin
  const left = ({ x }: { x: number }) => BOX.margin + x * BOX.across
  const top = ({ y }: { y: number }) => BOX.margin + y * BOX.down
  return (
    <section class="card graph" aria-label="What waits for what" tabIndex={0}>
      <svg
        width={width}
        height={height}
        role="group"
        aria-label={`${tasks.length} tasks and what they wait for`}
      >
        <defs>
          <Arrow id="arrow" />
          <Arrow id="arrow-met" />
        </defs>
        {edges.map(({ from, to }) => {
          const [x1, y1] = [left(from) + BOX.width, top(from) + BOX.height / 2]
          const [x2, y2] = [left(to), top(to) + BOX.height / 2]
          const middle = (x1 + x2) / 2
          const isMet = from.task.status === 'completed'
          return (
            <path
              key={`${from.task.id}-${to.task.id}`}
              class={isMet ? 'edge is-met' : 'edge'}
              d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2 - 2} ${y2}`}
              marker-end={isMet ? 'url(#arrow-met)' : 'url(#arrow)'}
            />
          )
        })}
        {placed.map(each => {
          const { id, subject, status, ready } = each.task
          const state = status === 'pending' && !ready ? 'blocked' : status
          const shown = cutTo(subject, LETTERS)
          const isCut = shown !== subject
          return (
            <g
              key={id}
              class={`node is-${state}${id === chosen ? ' is-chosen' : ''}`}
              transform={`translate(${left(each)} ${top(each)})`}
              role="button"
              tabindex={0}
              aria-label={`#${id} ${shown}${isCut ? ` (${subject})` : ''}, ${state.replace('_', ' ')}`}
              onClick={() => onChoose(id)}
              onKeyDown={event => {
                if (event.key !== 'Enter' && event.key !== ' ') return
                event.preventDefault() // a space would scroll
                onChoose(id)
              }}
            >
              {isCut && <title>{subject}</title>}
              <rect width={BOX.width} height={BOX.height} rx="9" />
              <text>
                <tspan x="12" y="18" class="node-id">
                  #{id}
                </tspan>{' '}
                <tspan x="12" y="34">
                  {shown}
                </tspan>
              </text>
            </g>
          )
        })}
      </svg>
    </section>
  )
}

function Arrow({ id }: { id: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">
      <path class={id} d="M0 0 8 4 0 8z" />
    </marker>
  )
}

function Chosen({ task, tasks, onClose }: { task: Task; tasks: Task[]; onClose(): void }) {
  const { id, subject, description, status, owner, blockedBy, blocks } = task
  const named = (ids: number[]) =>
    ids.map(each => `#${each} ${tasks.find(({ id }) => id === each)?.subject ?? ''}`).join(', ')
  const set = (changes: object) => api.patch(`tasks/${id}`, changes)
  const section = useRef<HTMLElement>(null)
  // It may have been chosen far below: it is brought into view, and the keyboard with it.
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
    section.current?.focus({ preventScroll: true })
  }, [id])
  return (
    <section class="card chosen" aria-label={`Task ${id}`} ref={section} tabIndex={-1}>
      <header>
        <h2 dir="auto">{subject}</h2>
        <button type="button" class="bare" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <p class="faint">
        #{id} · {status.replace('_', ' ')}
        {owner !== null && ` · ${owner}`}
      </p>
      {description !== '' && (
        <p class="wrap" dir="auto">
          {description}
        </p>
      )}
      {blockedBy.length > 0 && <p>Waits for {named(blockedBy)}</p>}
      {blocks.length > 0 && <p>Before {named(blocks)}</p>}
      <div class="actions">
        {status === 'pending' && <Act run={() => set({ status: 'in_progress' })}>Take it</Act>}
        {status === 'in_progress' && <Act run={() => set({ status: 'pending' })}>Give it back</Act>}
        {status !== 'completed' && (
          <Act kind="solid" run={() => complete(id)}>
            <Icon name="check" /> Complete
          </Act>
        )}
        {status === 'completed' && <Act run={() => reopen(id)}>Reopen</Act>}
        <Act
          kind="quiet is-danger"
          run={async () => {
            await api.delete(`tasks/${id}`)
            onClose()
          }}
        >
          Delete
        </Act>
      </div>
    </section>
  )
}
