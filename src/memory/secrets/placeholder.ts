/** Words people write where a secret would stand, or that say what kind of thing it is. */
const STAND_IN =
  /your|example|placeholder|change[-_ ]?(?:me|it|this)|replace|redacted|removed|hidden|dummy|sample|foobar|insert|goes[-_ ]?here|todo|tbd|hunter\*|secret[-_]?here|password[-_]?here/i
const KEPT_ELSEWHERE =
  /^(?:1password|keepass\w*|bitwarden|lastpass|dashlane|vault|keychain|kms|sops|doppler|env)\b/i
const ALGORITHM =
  /^(?:sha-?\d+|md5|argon2\w*|bcrypt\d*|scrypt|pbkdf2|base(?:16|32|58|64)(?:url)?|aes[-\d\w]*|[hre]s(?:256|384|512)|oauth2?|oidc|jwt|utf-?8|ed25519|x509|pkcs\d+|rsa-?\d*|totp|2fa|mfa|k8s|s3|ec2|http\/?2?|i18n|cl100k_base|o200k_base)$/i
const REFERENCE =
  /^(?:[$%@!&]|\{|\[|<|process\.|os\.|env[.:]|import\.|secrets?\.|\w+:\/\/|arn:|vault:|op:|ref:|file:|~|\.{0,2}\/|[A-Za-z]:\\)/
const CODE = /^[\w$.]+(?:\(|\[)|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|=>|^\w+::/
const FILE_NAME =
  /\.(?:json|md|txt|[jt]sx?|py|ya?ml|env|pem|key|csv|log|toml|ini|cfg|conf|sh|html?|xml|sqlite|db)$/i

/** Not a secret but what stands in for one: `<password>`, `${TOKEN}`, `xxxx`, `process.env.KEY`, a path. */
export function isStandIn(value: string): boolean {
  return (
    isRepeated(value) ||
    STAND_IN.test(value) ||
    KEPT_ELSEWHERE.test(value) ||
    ALGORITHM.test(value) ||
    REFERENCE.test(value) ||
    CODE.test(value) ||
    FILE_NAME.test(value) ||
    isName(value)
  )
}

function isRepeated(value: string): boolean {
  return new Set(value.toLowerCase()).size <= 2 || /[*•…]{3}|\.{3}|x{5}|_{3}/i.test(value)
}

/** Environment variables, slugs, lower-case paths, dates, sizes, e-mail addresses: names for things. */
function isName(value: string): boolean {
  return (
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) ||
    (/^\d?[A-Za-z]+(?:[-_.](?:[A-Za-z]+|v\d{1,2}))*(?:[-_.]v?\d{1,4})?$/.test(value) &&
      /[-_.]/.test(value)) ||
    /^[a-z0-9_.-]+(?:\/[a-z0-9_.-]+)+$/.test(value) ||
    /^\d{4}-\d{2}-\d{2}/.test(value) ||
    (/^[\d.,]+(?:[kmg]b?|ms|s|m|h|d|%|st|nd|rd|th|\+)?$/i.test(value) && !/^\d{4,}$/.test(value)) ||
    /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(value)
  )
}

/** `hf_xxxxxxxxxxxxxxxx` and `sk-ant-api03-your-key-goes-here` only show where a token would stand. */
export function isStandInToken(token: string): boolean {
  return /([xX0*.-])\1{7}|your[-_]|[-_]here|example|placeholder/i.test(token)
}
