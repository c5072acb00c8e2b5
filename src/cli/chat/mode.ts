import { Option } from 'commander'
import { MODES } from '../../agent/index.ts'

/** What may be done without a question, for one run; where nobody can be asked, a question is a no. */
export function modeOption(): Option {
  return new Option(
    '--mode <mode>',
    'what may be done without a question (default: permissions.mode)',
  ).choices(MODES)
}
