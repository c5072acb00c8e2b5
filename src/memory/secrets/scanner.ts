import type { SecretPlace } from './known-tokens.ts'
import { isStandInToken } from './placeholder.ts'

/**
 * What any rule of secretlint needs: a long run of token characters, a key header, an address with a
 * password, or a name for a key. Loading the scanner costs 30 ms, and an ordinary memory has none of these.
 */
const MAY_HOLD_TOKEN =
  /[A-Za-z0-9_-]{20}|(?=[A-Za-z_-]{0,15}\d)[A-Za-z0-9_-]{16}|-----BEGIN|:\/\/[^\s/]{1,300}@|authToken|secret_?access_?key/i

const RULE_PREFIX = '@secretlint/secretlint-rule-'

/** The preset's own switch for single rules has no effect in version 13, so they are left out by hand. */
const NOT_USED = new Set([
  // A text must not be able to switch its own inspection off with a comment.
  `${RULE_PREFIX}filter-comments`,
  // Addresses with passwords are ours: these two know fewer schemes and fewer placeholders.
  `${RULE_PREFIX}basicauth`,
  `${RULE_PREFIX}database-connection-string`,
])

/** Words for secretlint's rules. A rule that a later version adds is named after its id. */
const KINDS: Record<string, string> = {
  aws: 'an AWS access key',
  gcp: 'a Google Cloud service account key',
  npm: 'an npm token',
  slack: 'a Slack token',
  openai: 'an OpenAI API key',
  anthropic: 'an Anthropic API key',
  groq: 'a Groq API key',
  huggingface: 'a Hugging Face token',
  linear: 'a Linear API key',
  notion: 'a Notion token',
  privatekey: 'a private key',
  sendgrid: 'a SendGrid API key',
  shopify: 'a Shopify key',
  stripe: 'a Stripe key',
  github: 'a GitHub token',
  gitlab: 'a GitLab token',
  grafana: 'a Grafana token',
  '1password': 'a 1Password service account token',
  'hashicorp-vault': 'a Vault token',
  vercel: 'a Vercel token',
  databricks: 'a Databricks token',
  docker: 'a Docker token',
  figma: 'a Figma token',
  cloudflare: 'a Cloudflare token',
  tailscale: 'a Tailscale key',
}

/** Tokens that secretlint's recommended rules know. */
export async function scannedTokens(text: string): Promise<SecretPlace[]> {
  if (!MAY_HOLD_TOKEN.test(text)) return []
  const [{ lintSource }, preset] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ])
  const { messages } = await lintSource({
    source: { filePath: 'memory.md', content: text, contentType: 'text', ext: '.md' },
    options: {
      noPhysicFilePath: true,
      maskSecrets: true,
      config: {
        rules: preset.rules
          .filter(rule => !NOT_USED.has(rule.meta.id))
          .map(rule => ({
            id: rule.meta.id,
            rule,
            options: rule.meta.id === `${RULE_PREFIX}aws` ? { enableIDScanRule: true } : {},
          })),
      },
    },
  })
  return (
    messages
      // An account number identifies, it does not open anything.
      .filter(({ messageId, range }) => messageId !== 'AWSAccountID' && !isStandInToken(text.slice(...range)))
      .map(message => ({
        kind: kindOf(message.ruleId),
        start: message.range[0],
        end: message.range[1],
      }))
  )
}

function kindOf(ruleId: string): string {
  const name = ruleId.slice(RULE_PREFIX.length)
  return KINDS[name] ?? `a secret (${name})`
}
