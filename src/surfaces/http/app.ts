/** What everything that is mounted on a server has in common. */
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { ReverieError } from '../../store/index.ts'
import { hostsOf, onlyFor } from './hosts.ts'
import { refuse } from './refusal.ts'
import { LOOPBACK } from './server.ts'

export interface AppOptions {
  /** That it will listen on. */
  address?: string | undefined
  /** Of one request; `Infinity` where whatever is mounted knows who asks first, and bounds by itself. */
  bodyBytes?: number
  /** What nobody expected, for whoever looks on: never what a request contained. */
  log?(text: string): void
}

/** A memory may have 1 MB, and several times that when it is escaped. */
const BODY_BYTES = 8 * 1024 * 1024

/** An app that answers only to its own names, bounds bodies and says what went wrong in a sentence. */
export function makeApp({
  address = LOOPBACK,
  bodyBytes = BODY_BYTES,
  log = () => {},
}: AppOptions = {}): Hono {
  const app = new Hono()
  app.use(onlyFor(hostsOf(address)))
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
      xFrameOptions: 'DENY',
      referrerPolicy: 'no-referrer',
      // It is http on this machine: a browser that was told to ask for https alone would never find it again.
      strictTransportSecurity: false,
    }),
  )
  if (bodyBytes !== Number.POSITIVE_INFINITY)
    app.use(
      bodyLimit({
        maxSize: bodyBytes,
        onError: context => {
          // What is still on its way is not waited for.
          context.header('Connection', 'close')
          return refuse(context, 413, `A request is at most ${bodyBytes / 2 ** 20} MB.`)
        },
      }),
    )
  app.notFound(context => refuse(context, 404, 'There is nothing at this address.'))
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse()
    if (error instanceof ReverieError) return refuse(context, statusOf(error), error.message)
    log(`${context.req.method} ${context.req.path}: ${error.stack ?? error.message}`)
    return refuse(context, 500, 'Something went wrong here that should not have; the log tells more.')
  })
  return app
}

/** By the names of errors, which say what they are in every room. */
function statusOf({ name }: Error): 400 | 404 | 409 {
  if (/^(NoSuch|Unknown)/.test(name)) return 404
  if (/Busy$|^Ambiguous|^ChangedMeanwhile$|^Task(Refused|Cycle)$|^NothingToUndo$/.test(name)) return 409
  return 400
}
