/** What is to happen, and when: jobs, a month of them, and what became of the last ones. */
import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { askedWhen, inWords, zonesInWords } from '../cron-words.ts'
import { useData } from '../data.ts'
import { Icon } from '../parts/icons.tsx'
import { Act, Empty, Problem, View, Waiting } from '../parts/pieces.tsx'
import { attempt, say } from '../parts/toast.tsx'
import type { Cron, Job } from '../types.ts'
import { ago, clock, inTime, many, moment } from '../words.ts'

export function SchedulesView() {
  const { value, problem } = useData<Cron>('cron', ['cron'])
  const jobs = value?.jobs ?? []
  return (
    <View
      title="Schedules"
      about={
        value &&
        `${many(jobs.length, 'job')}, ${zonesInWords(value.timeZone, Intl.DateTimeFormat().resolvedOptions().timeZone)}. They begin while Reverie runs, a few minutes apart.`
      }
    >
      <Problem text={problem} />
      {value?.problems.map(each => (
        <Problem key={each} text={each} />
      ))}
      <NewJob />
      {!value && !problem && <Waiting />}
      {value && jobs.length === 0 && (
        <Empty title="Nothing is planned">
          Something like “every weekday at 9: what is left to do?” makes a good first job.
        </Empty>
      )}
      <ul class="cards jobs">
        {jobs.map(job => (
          <JobRow key={job.id} job={job} />
        ))}
      </ul>
      {jobs.length > 0 && <Calendar jobs={jobs} />}
      {value && value.runs.length > 0 && <Runs runs={value.runs} jobs={jobs} />}
    </View>
  )
}

function JobRow({ job }: { job: Job }) {
  const { id, prompt, cron, nextAt, lastRunAt, expiresAt, madeBy, missed } = job
  const often = job.recurring ? inWords(cron) : undefined
  return (
    <li class="row job">
      <span class="row-title" dir="auto">
        {prompt}
      </span>
      <span class="row-foot">
        {often === undefined && <code>{cron}</code>}
        <span class="faint" title={cron}>
          {often !== undefined && `${often} · `}
          {missed
            ? 'missed its time'
            : nextAt === null
              ? job.recurring
                ? 'does not start again'
                : 'runs now'
              : `next ${inTime(nextAt)}, ${moment(nextAt)}`}
          {lastRunAt !== null && ` · last ${ago(lastRunAt)}`}
          {expiresAt !== null && ` · ends ${moment(expiresAt)}`}
          {madeBy === 'agent' && ' · made by the agent'}
        </span>
      </span>
      <span class="actions">
        <Act
          label={`Run now: ${prompt}`}
          run={async () => {
            await api.post(`cron/${id}/run`)
            say('It runs; what it comes to is listed below, and told in a conversation.')
          }}
        >
          Run now
        </Act>
        <Act
          kind="quiet is-danger"
          label={`Cancel ${prompt}`}
          run={async () => {
            await api.delete(`cron/${id}`)
            say('Cancelled.')
          }}
        >
          Cancel
        </Act>
      </span>
    </li>
  )
}

const WAYS = [
  { name: 'cron', title: 'by a cron line', example: '0 9 * * 1-5', isText: true },
  { name: 'every', title: 'every', example: '2 hours', isText: true },
  { name: 'in', title: 'once, in', example: '20 minutes', isText: true },
  { name: 'at', title: 'once, at', example: '', isText: false },
] as const

const LABELS = {
  cron: 'Minute, hour, day, month, weekday',
  every: 'How often',
  in: 'How long from now',
  at: 'The moment',
}

/** What is said most often; each is a cron line. */
const OFTEN = [
  { title: 'each weekday at 9', cron: '0 9 * * 1-5' },
  { title: 'each day at 18', cron: '0 18 * * *' },
  { title: 'each Monday at 8', cron: '0 8 * * 1' },
  { title: 'each hour', cron: '0 * * * *' },
]

function NewJob() {
  const [prompt, setPrompt] = useState('')
  const [way, setWay] = useState<(typeof WAYS)[number]['name']>('cron')
  const [when, setWhen] = useState('0 9 * * 1-5')
  const chosen = WAYS.find(({ name }) => name === way) ?? WAYS[0]
  const add = async () => {
    const added = await attempt(async () => {
      const { nextAt } = await api.post<Job>('cron', { prompt, ...askedWhen(way, when) })
      say(nextAt === null ? 'Planned.' : `Planned; it begins ${inTime(nextAt)}.`)
    })
    if (added) setPrompt('')
  }
  return (
    <form
      class="card form job-form"
      aria-label="New job"
      onSubmit={event => {
        event.preventDefault()
        void add()
      }}
    >
      <label>
        <span>What is to be done</span>
        <input
          required
          value={prompt}
          placeholder="Tell me what changed in this project since yesterday"
          onInput={event => setPrompt(event.currentTarget.value)}
        />
      </label>
      <div class="inline">
        <label>
          <span>When</span>
          <select
            value={way}
            onChange={event => {
              const name = event.currentTarget.value as typeof way
              setWay(name)
              setWhen(WAYS.find(each => each.name === name)?.example ?? '')
            }}
          >
            {WAYS.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label class="grow">
          <span>{LABELS[way]}</span>
          <input
            required
            type={chosen.isText ? 'text' : 'datetime-local'}
            value={when}
            onInput={event => setWhen(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="solid" disabled={prompt.trim() === '' || when.trim() === ''}>
          <Icon name="plus" /> Add
        </button>
      </div>
      {way === 'cron' && (
        <div class="chips" role="group" aria-label="Often used">
          {OFTEN.map(({ title, cron }) => (
            <button
              key={cron}
              type="button"
              class="chip"
              aria-pressed={when === cron}
              onClick={() => setWhen(cron)}
            >
              {title}
            </button>
          ))}
        </div>
      )}
    </form>
  )
}

const DAYS_SHOWN = 35
const DAY_MS = 24 * 60 * 60 * 1000
const SHOWN_PER_DAY = 3

/** Five weeks from this one on. */
function Calendar({ jobs }: { jobs: Job[] }) {
  const now = new Date()
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const monday = new Date(today)
  monday.setDate(today.getDate() - ((today.getDay() + 6) % 7))
  const days = Array.from(
    { length: DAYS_SHOWN },
    (_, at) => new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() + at),
  )
  const starts = jobs.flatMap(({ prompt, starts }) => starts.map(at => ({ at, prompt })))
  const on = (day: Date) => {
    const [from, to] = [day.getTime(), day.getTime() + DAY_MS]
    return starts
      .filter(({ at }) => Date.parse(at) >= from && Date.parse(at) < to)
      .sort((a, b) => (a.at < b.at ? -1 : 1))
  }
  return (
    <section class="card" aria-label="Calendar">
      <h2>The next weeks</h2>
      <ol class="calendar">
        {days.map(day => {
          const planned = on(day)
          const isPast = day < today
          return (
            <li
              key={day.toISOString()}
              class={`${isPast ? 'is-past' : ''} ${day.getTime() === today.getTime() ? 'is-today' : ''}`}
            >
              <time dateTime={day.toLocaleDateString('sv')}>
                <span class="weekday">{day.toLocaleDateString(undefined, { weekday: 'short' })} </span>
                {day.getDate() === 1
                  ? day.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
                  : day.getDate()}
              </time>
              {planned.slice(0, SHOWN_PER_DAY).map(({ at, prompt }) => (
                <span key={at + prompt} class="event" title={`${clock(at)} ${prompt}`}>
                  <b>{clock(at)}</b> {prompt}
                </span>
              ))}
              {planned.length > SHOWN_PER_DAY && (
                <span class="faint">{planned.length - SHOWN_PER_DAY} more</span>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

const RUNS_SHOWN = 15

function Runs({ runs, jobs }: { runs: Cron['runs']; jobs: Job[] }) {
  return (
    <section class="card" aria-label="Runs">
      <h2>What ran</h2>
      <ul class="runs">
        {runs.slice(0, RUNS_SHOWN).map(({ id, source, status, createdAt, error, session }) => (
          <li key={id}>
            <span class={`dot is-${status}`} />
            <span class="grow">
              {jobs.find(job => job.id === source)?.prompt ?? source}
              {error !== null && <span class="faint"> · {error}</span>}
            </span>
            {session !== null && <a href={`/sessions/${session}`}>read</a>}
            <span class="faint">
              {status} · {ago(createdAt)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
