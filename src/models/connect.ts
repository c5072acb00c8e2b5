import type { LanguageModelV4 } from '@ai-sdk/provider'
import { awsRegion, type Connection } from './connection.ts'

/** Where Vertex serves from unless told; it has every model. */
const VERTEX_LOCATION = 'global'

/**
 * Loads the one package that a provider needs, and no other. Addresses and keys are always given, so that the
 * packages do not look for others by themselves.
 */
export async function connect(connection: Connection, env: NodeJS.ProcessEnv): Promise<LanguageModelV4> {
  const { kind, name, provider, baseUrl = '', apiKey } = connection
  const reach = { baseURL: baseUrl, ...(apiKey !== undefined && { apiKey }) }
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(reach)(name)
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(reach)(name)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(reach)(name)
    }
    case 'xai': {
      const { createXai } = await import('@ai-sdk/xai')
      return createXai(reach)(name)
    }
    case 'vertex':
      return connectVertex(connection, env)
    case 'bedrock':
      return connectBedrock(connection, env)
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...reach, name: provider, includeUsage: true })(name)
    }
    case 'embedded': {
      const { createEmbeddedModel } = await import('./embedded/index.ts')
      return createEmbeddedModel()
    }
  }
}

/** Without a key the machine's own Google credentials are used. Claude on Vertex has a package of its own. */
async function connectVertex({ name, baseUrl, apiKey }: Connection, env: NodeJS.ProcessEnv) {
  const settings = {
    location: env.GOOGLE_VERTEX_LOCATION || VERTEX_LOCATION,
    ...(env.GOOGLE_VERTEX_PROJECT && { project: env.GOOGLE_VERTEX_PROJECT }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
  }
  if (name.startsWith('claude-')) {
    const { createVertexAnthropic } = await import('@ai-sdk/google-vertex/anthropic')
    return createVertexAnthropic(settings)(name)
  }
  const { createVertex } = await import('@ai-sdk/google-vertex')
  return createVertex({ ...settings, ...(apiKey !== undefined && { apiKey }) })(name)
}

async function connectBedrock({ name, baseUrl, apiKey }: Connection, env: NodeJS.ProcessEnv) {
  const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
  const region = awsRegion(env)
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  return createAmazonBedrock({
    ...(region !== undefined && { region }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    ...(apiKey !== undefined
      ? { apiKey }
      : {
          ...(AWS_ACCESS_KEY_ID && { accessKeyId: AWS_ACCESS_KEY_ID }),
          ...(AWS_SECRET_ACCESS_KEY && { secretAccessKey: AWS_SECRET_ACCESS_KEY }),
          ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
        }),
  })(name)
}
