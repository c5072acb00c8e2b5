/** Where an agent works. One for a conversation; a sub-agent may have its own. */
export interface Workspace {
  /** Real path of the project. */
  readonly root: string
  /** Where commands run and relative paths begin; a command may change it, within the root. */
  directory: string
  /** Where what is too long for the model is kept, and output of commands: private, of this session. */
  readonly outputs: string
}
