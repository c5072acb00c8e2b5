/** A memory that is being changed; what others do to it meanwhile is told, and nobody's words are lost. */
import { useState } from 'preact/hooks'
import { api, Refused } from '../api.ts'
import { type Data, GONE } from '../data.ts'
import { say } from '../parts/toast.tsx'
import { go } from '../route.ts'
import type { FullMemory } from '../types.ts'
import { type MemoryFields, MemoryForm } from './memory-form.tsx'

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
  const [from, setFrom] = useState({ memory, version: memory.version })
  const isChanged = !isGone && memory.version !== from.version
  const save = async ({ type, name, description, body }: MemoryFields) => {
    if (isGone) {
      const saved = await api.post<{ file: string; scope: string }>('memory', {
        ...{ type, name, description, body },
        ...(memory.scope !== 'team' && { scope: memory.scope }),
      })
      onEnd()
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
      onEnd()
    }
    say('Saved.')
  }
  return (
    <MemoryForm
      key={from.memory.version}
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
              onTake={() => setFrom({ memory, version: memory.version })}
              onKeep={() => setFrom({ ...from, version: memory.version })}
            />
          )
        )
      }
      onSave={save}
      onCancel={onEnd}
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
