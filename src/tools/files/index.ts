export { type FileToolOptions, fileTools } from './file-tools.ts'
export { FileLocks } from './locks.ts'
export { type LineRange, type Seen, SeenFiles } from './seen.ts'
export { type Rewound, type SnapshotPoint, Snapshots } from './snapshots.ts'
