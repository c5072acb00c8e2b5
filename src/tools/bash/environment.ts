import { delimiter, isAbsolute } from 'node:path'

/** Whose keys are for Reverie and not for what it runs. Names that other programs need too (AWS_…, GITHUB_…) stay. */
const MODEL_PROVIDERS = [
  'ANTHROPIC',
  'CLAUDE',
  'OPENAI',
  'AZURE_OPENAI',
  'GEMINI',
  'GOOGLE',
  'GOOGLE_GENERATIVE_AI',
  'GOOGLE_VERTEX',
  'XAI',
  'GROK',
  'GROQ',
  'OPENROUTER',
  'DEEPSEEK',
  'MISTRAL',
  'COHERE',
  'CEREBRAS',
  'FIREWORKS',
  'TOGETHER',
  'TOGETHERAI',
  'PERPLEXITY',
  'MOONSHOT',
  'KIMI',
  'ZAI',
  'ZHIPU',
  'DASHSCOPE',
  'QWEN',
  'MINIMAX',
  'OLLAMA',
  'VLLM',
  'LITELLM',
  'HF',
  'HUGGINGFACE',
  'REPLICATE',
  'DEEPINFRA',
  'NVIDIA',
  'VOYAGE',
  'JINA',
  'AI_GATEWAY',
]

const KEY_NAME = new RegExp(
  `^(${MODEL_PROVIDERS.join('|')})(_[A-Z0-9]+)*_(API_?KEYS?|KEY|TOKEN|SECRET)$`,
  'i',
)

/** Keys whose names follow no rule. */
const OTHER_KEYS = new Set(['AWS_BEARER_TOKEN_BEDROCK'])

/** What makes a shell, or a search, do something else than its command says, by which it was judged. */
const STEERS_THE_SHELL =
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|GLOBIGNORE|CDPATH|PROMPT_COMMAND|PS4|IFS|BASH_FUNC_.*|RIPGREP_CONFIG_PATH|GREP_OPTIONS)$/

/** By this a process is known as one of a command's, wherever it has moved to. */
export const COMMAND_MARK = 'REVERIE_COMMAND'

/** What a command finds in its environment: nobody's key to a model, and nothing that waits for a person. */
export function commandEnvironment(from: NodeJS.ProcessEnv, mark: string): NodeJS.ProcessEnv {
  const kept = Object.entries(withoutKeys(from)).filter(([name]) => !STEERS_THE_SHELL.test(name))
  return {
    ...Object.fromEntries(kept),
    ...(from.PATH !== undefined && { PATH: withoutRelative(from.PATH) }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    // A Reverie that runs in a command of another one's is still that other one's.
    [COMMAND_MARK]: [from[COMMAND_MARK], mark].filter(Boolean).join(':'),
  }
}

/** What is for everybody of an environment: no key of a model's provider, nothing of Reverie's own. */
export function withoutKeys(from: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !isSecretName(name)))
}

/** What is looked for where a command happens to be is something else in every directory. */
function withoutRelative(path: string): string {
  return path
    .split(delimiter)
    .filter(place => isAbsolute(place))
    .join(delimiter)
}

export function isSecretName(name: string): boolean {
  return /^REVERIE_/i.test(name) || OTHER_KEYS.has(name) || KEY_NAME.test(name)
}
