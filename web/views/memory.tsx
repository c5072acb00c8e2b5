/** What is remembered: a list to look through, and one memory in full. */
import { useState } from 'preact/hooks'
import { api } from '../api.ts'
import { useData } from '../data.ts'
import { Areas } from '../parts/charts.tsx'
import { Icon } from '../parts/icons.tsx'
import { Empty, Problem, Search, TypeTag, typeName, View, Waiting } from '../parts/pieces.tsx'
import { attempt, say } from '../parts/toast.tsx'
import { go } from '../route.ts'
import { type GrowthPoint, MEMORY_TYPES, type MemoryHead, type MemoryType, type Undone } from '../types.ts'
import { ageOf, many } from '../words.ts'
import { MemoryDetail } from './memory-detail.tsx'
import { dropDraft, MemoryForm } from './memory-form.tsx'

const NEW = 'new'

function memoryPath({ scope, file }: Pick<MemoryHead, 'scope' | 'file'>): string {
  return `/memory/${scope}/${encodeURIComponent(file)}`
}

export async function undoLast(id?: string): Promise<void> {
  const { files, conflicts } = await api.post<Undone>('memory/undo', id === undefined ? {} : { id })
  if (files.length > 0) say(`Undone: ${files.join(', ')}`)
  if (conflicts.length > 0) say(`Left as they are, because they were changed since: ${conflicts.join(', ')}`)
}

export function MemoryView({ scope, file }: { scope: string | undefined; file: string | undefined }) {
  const [type, setType] = useState<MemoryType>()
  const [query, setQuery] = useState('')
  const isNew = scope === 'new'
  const { value: all, problem } = useData<MemoryHead[]>('memory', ['memory'])
  const { value: found } = useData<MemoryHead[]>(
    query.trim() === '' ? undefined : `memory/search?${new URLSearchParams({ q: query })}`,
    ['memory'],
  )
  const { value: growth, problem: unknown } = useData<GrowthPoint[]>('memory/growth', ['memory'])
  const listed = query.trim() === '' ? all : (found ?? all)
  const shown = listed?.filter(each => type === undefined || each.type === type)
  const isOpen = file !== undefined || isNew
  return (
    <View
      title="Memory"
      about={
        all &&
        (all.length === 0 ? 'Nothing yet.' : `${many(all.length, 'memory')}, each a file that is yours.`)
      }
      actions={
        <>
          {growth !== undefined && growth.length > 1 && (
            <button type="button" class="quiet" onClick={() => void attempt(() => undoLast())}>
              <Icon name="undo" /> Undo last change
            </button>
          )}
          <a class="solid" href="/memory/new">
            <Icon name="plus" /> New
          </a>
        </>
      }
    >
      <Problem text={problem} />
      {!isOpen && !unknown && all && all.length >= WORTH_A_PICTURE && <Growth points={growth} />}
      {!all && !problem && !isOpen && <Waiting />}
      <div class={isOpen ? 'split is-open' : 'split'} hidden={!all && !isOpen}>
        <div class="split-list">
          {all !== undefined && all.length > 0 && (
            <div class="filters">
              <Search label="Search memories" value={query} onInput={setQuery} />
              <div class="chips" role="group" aria-label="Types">
                <Chip isOn={type === undefined} onClick={() => setType(undefined)}>
                  All
                </Chip>
                {MEMORY_TYPES.map(each => (
                  <Chip key={each} isOn={type === each} onClick={() => setType(each)}>
                    {typeName(each)}
                  </Chip>
                ))}
              </div>
            </div>
          )}
          {!all && !problem && isOpen && <Waiting />}
          {all?.length === 0 && (
            <Empty title="Nothing is remembered yet">
              Say “remember that…” in a <a href="/">conversation</a>, or{' '}
              <a href="/memory/new">write one yourself</a>.
            </Empty>
          )}
          {all && all.length > 0 && shown?.length === 0 && <Empty title="No memory fits this" />}
          <ul class="cards">
            {shown?.map(memory => (
              <li key={`${memory.scope}/${memory.file}`}>
                <a
                  class="row"
                  href={memoryPath(memory)}
                  aria-current={memory.file === file && memory.scope === scope ? 'page' : undefined}
                >
                  <span class="row-title" dir="auto">
                    {memory.pinned && <Icon name="pin" />}
                    {memory.name}
                  </span>
                  <span class="row-about" dir="auto">
                    {memory.description}
                  </span>
                  <span class="row-foot">
                    <TypeTag type={memory.type} />
                    {memory.scope !== 'project' && <span class="faint">{memory.scope}</span>}
                    <span class="faint">{ageOf(memory.ageDays)}</span>
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
        {isNew && (
          <section class="detail" aria-label="New memory">
            <MemoryForm
              where={NEW}
              title="A new memory"
              onCancel={() => {
                dropDraft(NEW)
                go('/memory')
              }}
              onSave={async draft => {
                const saved = await api.post<{ file: string; scope: string }>('memory', draft)
                dropDraft(NEW)
                say(`Remembered: ${draft.name}`)
                go(memoryPath(saved))
              }}
            />
          </section>
        )}
        {!isNew && scope !== undefined && file !== undefined && (
          <MemoryDetail key={`${scope}/${file}`} scope={scope} file={file} />
        )}
      </div>
    </View>
  )
}

function Chip({ isOn, onClick, children }: { isOn: boolean; onClick(): void; children: string }) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onClick}>
      {children}
    </button>
  )
}

const SERIES = MEMORY_TYPES.map(type => ({ name: typeName(type), tone: type }))

/** Fewer are seen at a glance below. */
const WORTH_A_PICTURE = 3

/** Its place is kept while it is not known yet, so that what stands below does not move. */
function Growth({ points: known = [] }: { points: GrowthPoint[] | undefined }) {
  const points = known.map(point => ({ at: point.at, values: MEMORY_TYPES.map(type => point[type]) }))
  const now = known.at(-1)
  const label = `Memories over time; now ${MEMORY_TYPES.map(type => `${now?.[type] ?? 0} ${typeName(type)}`).join(', ')}`
  return (
    <section class="card" aria-label="Growth">
      <h2>What is remembered, over time</h2>
      <Areas series={SERIES} points={points} label={label} />
    </section>
  )
}
