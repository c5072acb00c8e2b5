/** One of many: `node writer.ts ROOT DIRECTORY WRITER COUNT` saves COUNT memories. */
import { join } from 'node:path'
import { openMemory } from '../../src/index.ts'
import { factOf } from '../writers.torture.ts'

const [root = '', directory = '', writer = '', count = ''] = process.argv.slice(2)
using memory = await openMemory({ home: join(root, 'home'), project: root, memoryDir: directory })
for (let number = 0; number < Number(count); number++) {
  const fact = factOf(Number(writer), number)
  await memory.save({
    type: 'project',
    name: `Fact ${fact}`,
    description: `What is known of ${fact}`,
    body: `It is ${fact}.`,
  })
}
