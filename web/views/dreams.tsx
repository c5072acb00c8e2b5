/** What dreams have done, what one does now, and how it is taken back. */
import { useEffect, useState } from 'preact/hooks'
import { api } from '../api.ts'
import { useData } from '../data.ts'
import { live } from '../live.ts'
import { Bars } from '../parts/charts.tsx'
import { Icon } from '../parts/icons.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Act, Diff, Empty, Problem, View, Waiting } from '../parts/pieces.tsx'
import { go } from '../route.ts'
import type { DreamNews, DreamOutcome, Dreams } from '../types.ts'
import { ago, day, many, moment } from '../words.ts'
import { DreamDetail } from './dream-detail.tsx'

const PHASES = [
  { name: 'orient', title: 'Looks around' },
  { name: 'gather', title: 'Gathers what was said' },
  { name: 'consolidate', title: 'Consolidates' },
  { name: 'prune', title: 'Prunes' },
]

export function DreamsView({ id }: { id: string | undefined }) {
  const { value, problem, refresh } = useData<Dreams>('dreams', ['memory', 'dream'])
  const { phase, progress, outcome, forget } = useDream(value)
  const isRunning = phase !== undefined
  return (
    <View
      title="Dreams"
      about="While you are away, memory is put in order. Each dream can be read, and taken back."
      actions={
        isRunning ? (
          <Act run={() => api.post('dreams/stop')}>
            <Icon name="stop" /> Stop
          </Act>
        ) : (
          <>
            <Act run={() => begin(forget, { dryRun: true })}>Try without changing anything</Act>
            <Act kind="solid" run={() => begin(forget, {})}>
              <Icon name="dreams" /> Dream now
            </Act>
          </>
        )
      }
    >
      <Problem text={problem} />
      {isRunning && <Progress phase={phase} progress={progress} />}
      {!isRunning && outcome && <Outcome outcome={outcome} onClose={forget} />}
      {value && !isRunning && id === undefined && <Status status={value.status} />}
      {!value && !problem && <Waiting />}
      <div class={id === undefined ? 'split' : 'split is-open'}>
        <div class="split-list">
          {value && value.dreams.length > 1 && id === undefined && <Picture dreams={value.dreams} />}
          {value?.dreams.length === 0 && (
            <Empty title="No dream has changed anything yet">
              They come by themselves once there is enough to go through; “Dream now” does not wait.
            </Empty>
          )}
          <ol class="cards nights">
            {value?.dreams.map(dream => (
              <li key={dream.id}>
                <a
                  class="row"
                  href={`/dreams/${dream.id}`}
                  aria-current={dream.id === id ? 'page' : undefined}
                >
                  <span class={dream.undone ? 'row-title is-undone' : 'row-title'}>{moment(dream.at)}</span>
                  {dream.said.slice(0, SAID_SHOWN).map(line => (
                    <span key={line} class="row-about" dir="auto">
                      {line}
                    </span>
                  ))}
                  <span class="row-foot">
                    <Counts {...dream} />
                    {dream.said.length > SAID_SHOWN && (
                      <span class="faint">{dream.said.length - SAID_SHOWN} more</span>
                    )}
                    {dream.undone && <span class="tag">undone</span>}
                  </span>
                </a>
              </li>
            ))}
          </ol>
          {value && value.diary.length > 0 && id === undefined && <Diary entries={value.diary} />}
        </div>
        {id !== undefined && (
          <DreamDetail
            key={id}
            id={id}
            undone={value?.dreams.find(each => each.id === id)?.undone ?? false}
            onUndone={refresh}
          />
        )}
      </div>
    </View>
  )
}

async function begin(forget: () => void, options: { dryRun?: boolean }): Promise<void> {
  forget()
  await api.post('dreams', { force: true, ...options })
}

/** The dream that goes on now, in whichever process, and what came of the last one that was begun here. */
function useDream(value: Dreams | undefined) {
  const [phase, setPhase] = useState<string>()
  const [progress, setProgress] = useState<string>()
  const [outcome, setOutcome] = useState<DreamOutcome>()
  useEffect(() => {
    if (!value) return
    setPhase(value.status.phase ?? undefined)
    setProgress(value.status.progress ?? undefined)
  }, [value])
  useEffect(
    () =>
      live.on('dream', data => {
        const news = data as DreamNews
        if (news.phase !== undefined) setPhase(news.phase)
        if (news.progress !== undefined) setProgress(news.progress)
        if (news.outcome === undefined) return
        setPhase(undefined)
        setOutcome(news.outcome)
      }),
    [],
  )
  return { phase, progress, outcome, forget: () => setOutcome(undefined) }
}

/** The phases, and beside them what is known besides: how often a model was asked, files touched, what it cost. */
function Progress({ phase, progress = '' }: { phase: string; progress: string | undefined }) {
  const at = PHASES.findIndex(({ name }) => name === phase)
  const taken = progress.split(', ').slice(1).join(' · ')
  return (
    <ol class="card progress" aria-label="The dream that goes on now" role="status">
      {PHASES.map(({ name, title }, index) => (
        <li
          key={name}
          class={index < at ? 'is-done' : index === at ? 'is-now' : ''}
          aria-current={index === at ? 'step' : undefined}
        >
          {index === at && <span class="pulse" />}
          {title}
        </li>
      ))}
      {taken && <li class="faint">{taken}</li>}
    </ol>
  )
}

function Outcome({
  outcome: { status, reason, id, changes, warnings },
  onClose,
}: {
  outcome: DreamOutcome
  onClose(): void
}) {
  const said = {
    done: `Improved ${many(changes.length, 'memory')}.`,
    nothing: 'All is in order; nothing was changed.',
    skipped: `No dream: ${reason ?? 'it is not time for one'}.`,
    failed: reason ?? 'The dream failed, and memory is as it was.',
    'dry-run':
      changes.length === 0
        ? 'A dream would change nothing.'
        : `A dream would change ${many(changes.length, 'memory')}; nothing was changed.`,
  }[status]
  return (
    <section class={status === 'failed' ? 'card outcome is-problem' : 'card outcome'} role="status">
      <p>
        {said} {id !== undefined && <a href={`/dreams/${id}`}>See what changed</a>}
        <button type="button" class="bare" aria-label="Dismiss" onClick={onClose}>
          ×
        </button>
      </p>
      {warnings.map(warning => (
        <p key={warning} class="faint">
          {warning}
        </p>
      ))}
      {status === 'dry-run' &&
        changes.map(({ file, action, reason, patch }) => (
          <details key={file}>
            <summary>
              {action} <code>{file}</code> <span class="faint">{reason}</span>
            </summary>
            <Diff patch={patch} label={`What would change in ${file}`} />
          </details>
        ))}
    </section>
  )
}

function Status({
  status: { lastConsolidatedAt, sessionsSince, wouldRun, reason },
}: {
  status: Dreams['status']
}) {
  const sessions = many(sessionsSince, 'session')
  return (
    <p class="status">
      {lastConsolidatedAt === null
        ? `There was no dream yet; ${sessions} so far. `
        : `The last dream was ${ago(lastConsolidatedAt)}; ${sessions} since. `}
      {wouldRun
        ? 'It is time for one: it comes after the next answer.'
        : `Not yet time for the next: ${reason}.`}
    </p>
  )
}

const SERIES = [
  { name: 'New', tone: 'created' },
  { name: 'Changed', tone: 'changed' },
  { name: 'Let go', tone: 'removed' },
]
const IN_PICTURE = 30
const SAID_SHOWN = 2

function Picture({ dreams }: { dreams: Dreams['dreams'] }) {
  const shown = dreams.slice(0, IN_PICTURE).toReversed()
  return (
    <section class="card" aria-label="What each dream changed">
      <h2>What each dream changed</h2>
      <Bars
        series={SERIES}
        label={`What the last ${shown.length} dreams changed`}
        columns={shown.map(({ at, created, changed, removed, undone }) => ({
          label: day(at),
          title: `${day(at)}: ${created} new, ${changed} changed, ${removed} let go${undone ? ' (undone)' : ''}`,
          values: [created, changed, removed],
          isFaint: undone,
        }))}
        onPick={at => go(`/dreams/${shown[at]?.id}`)}
      />
    </section>
  )
}

function Counts({ created, changed, removed }: { created: number; changed: number; removed: number }) {
  return (
    <span class="counts">
      {created > 0 && <span class="count-created">+{created} new</span>}
      {changed > 0 && <span class="count-changed">{changed} changed</span>}
      {removed > 0 && <span class="count-removed">{removed} let go</span>}
    </span>
  )
}

function Diary({ entries }: { entries: string[] }) {
  return (
    <details class="card diary">
      <summary>The diary of the last {many(entries.length, 'dream')}</summary>
      {entries.map(entry => (
        <Markdown key={entry} text={entry} />
      ))}
    </details>
  )
}
