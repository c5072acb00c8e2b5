/** A memory that is being changed; what others do to it meanwhile is told, and nobody's words are lost. */
import { useEffect, useState } from 'preact/hooks'
import { api, Refused } from '../api.ts'
import { type Data, GONE } from '../data.ts'
import { say } from '../parts/toast.tsx'
import { go } from '../route.ts'
import type { FullMemory } from '../types.ts'
import { dropDraft, hasDraft, type MemoryFields, MemoryForm } from './memory-form.tsx'

/** What was there when an edit began that waits to be gone on with. */
const begun = new Map<string, { memory: FullMemory; version: string }>()

export function MemoryEdit({
  path,
  memory,
  isGone,
  refresh,
  onEnd,
}: Pick<Data<FullMemory>, 'isGone' | 'refresh'> & {
  path: string
  /** As it is now, whoever changed it. */
  memory: FullMemory
  onEnd(): void
}) {
  /** What the fields began with, and the version that saving takes the place of. */
  const [from, setFrom] = useState(
    (hasDraft(path) ? begun.get(path) : undefined) ?? { memory, version: memory.version },
  )
  useEffect(() => void begun.set(path, from), [from])
  const end = () => {
    dropDraft(path)
    onEnd()
  }
  const isChanged = !isGone && memory.version !== from.version
  const save = async ({ type, name, description, body }: MemoryFields) => {
    if (isGone) {
      const saved = await api.post<{ file: string; scope: string }>('memory', {
        ...{ type, name, description, body },
        ...(memory.scope !== 'team' && { scope: memory.scope }),
      })
      end()
      go(`/memory/${saved.scope}/${encodeURIComponent(saved.file)}`)
    } else {
      try {
        await api.patch(path, { type, name, description, body, version: from.version })
      } catch (error) {
        // Nobody had told of it yet: what there is now is shown beside what was written here.
        if (error instanceof Refused) await refresh()
        if (error instanceof Refused && error.status === GONE) return
        throw error
      }
      await refresh()
      end()
    }
    say('Saved.')
  }
  return (
    <MemoryForm
      key={from.memory.version}
      where={path}
      title={`Edit “${from.memory.name}”`}
      fields={from.memory}
      saveAs={isGone ? 'Save as a new memory' : 'Save'}
      notice={
        isGone ? (
          <p class="problem" role="status">
            It was forgotten or renamed meanwhile. What stands here can be kept as a new memory.
          </p>
        ) : (
          isChanged && (
            <Changed
              memory={memory}
              onTake={() => {
                dropDraft(path)
                setFrom({ memory, version: memory.version })
              }}
              onKeep={() => setFrom({ ...from, version: memory.version })}
            />
          )
        )
      }
      onSave={save}
      onCancel={end}
    />
  )
}

function Changed({
  memory: { name, description, body },
  onTake,
  onKeep,
}: {
  memory: FullMemory
  onTake(): void
  onKeep(): void
}) {
  return (
    <div class="problem meanwhile" role="status">
      <p>It was changed elsewhere meanwhile. Now it says:</p>
      <pre tabIndex={0} dir="auto">{`${name}\n${description}\n\n${body.trim()}`}</pre>
      <div class="actions">
        <button type="button" class="quiet" onClick={onTake}>
          Begin again with that
        </button>
        <button type="button" class="quiet" onClick={onKeep}>
          Keep what I wrote
        </button>
      </div>
    </div>
  )
}
