import { ReverieError } from '../../store/index.ts'

/** What was said cannot be a schedule, or a job. Nothing was changed. */
export class BadSchedule extends ReverieError {}

/** There are as many jobs as there may be. */
export class TooManyJobs extends ReverieError {}

export class NoSuchJob extends ReverieError {
  constructor(id: string) {
    super(`There is no job ${JSON.stringify(id)}. \`reverie cron list\` shows what there is.`)
  }
}

/** `scheduled_tasks.json` cannot be read, so that nothing can be done with it. */
export class MalformedSchedule extends ReverieError {}
