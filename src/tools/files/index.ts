export { type FileToolOptions, fileTools } from './file-tools.ts'
export { FileLocks } from './locks.ts'
export { SeenFiles } from './seen.ts'
export { type Rewound, Snapshots } from './snapshots.ts'
