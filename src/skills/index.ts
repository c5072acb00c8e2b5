export type { SkillProblem } from './discover.ts'
export { disableSkill, enableSkill } from './enabling.ts'
export { isSkillName, readSkill } from './skill.ts'
export { type ListedSkill, type LoadedSkill, NoSuchSkill, Skills } from './skills.ts'
