/** What the owner decides about skills: which proposals are accepted, and which skills are put aside. */
import { configEditing, type Home } from '../config/index.ts'
import { contentHash, editBlock, joinFile, readIfThere, splitFile, writeFileAtomic } from '../store/index.ts'
import type { ListedSkill } from './skills.ts'

/** Accepts a proposal, or takes a skill back that was put aside. Returns the names that are put aside now. */
export async function enableSkill(
  home: Home,
  skill: ListedSkill,
  disabled: readonly string[],
): Promise<readonly string[]> {
  if (skill.status === 'proposed') await accept(skill.path)
  if (!disabled.includes(skill.name)) return disabled
  return putAside(
    home,
    disabled.filter(name => name !== skill.name),
  )
}

/** Whosever it is: its file stays as it is. */
export async function disableSkill(
  home: Home,
  name: string,
  disabled: readonly string[],
): Promise<readonly string[]> {
  return disabled.includes(name) ? disabled : putAside(home, [...disabled, name].toSorted())
}

async function putAside(home: Home, names: readonly string[]): Promise<readonly string[]> {
  const { editConfig } = await configEditing()
  await editConfig(home, 'skills.disabled', names.length === 0 ? undefined : JSON.stringify(names))
  return names
}

async function accept(path: string): Promise<void> {
  const before = await readIfThere(path)
  const split = before && splitFile(before.toString('utf8'))
  if (!before || !split) return // whoever looks next is told what has become of it
  const block = editBlock(split.block, new Map([['enabled', undefined]]))
  await writeFileAtomic(path, joinFile({ ...split, block }), { expected: contentHash(before) })
}
