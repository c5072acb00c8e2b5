import { expect, test } from 'vitest'
import { promptIn } from './prompt-noticed.ts'

test.each([
  'Password:',
  'Password: ',
  "ann@host's password: ",
  '[sudo] password for ann: ',
  "Enter passphrase for key '/home/ann/.ssh/id_ed25519': ",
  "Username for 'https://github.com': ",
  "Password for 'https://ann@github.com': ",
  'Are you sure you want to continue connecting (yes/no/[fingerprint])? ',
  'Do you want to continue? [Y/n] ',
  'Proceed ([y]/n)? ',
  'Overwrite file? (y/N)\n',
  "rm: remove regular file 'a'? ",
  'Continue?',
  'Ok to proceed? (y) ',
  'Press any key to continue . . .\n',
  'Press ENTER to continue',
  'Hit return when ready\n',
  '(END)',
  '--More--(5%)',
  'lines\n:',
  'Enter your choice: ',
  'Select an option > ',
  '? Which template would you like? › ',
  'login: ',
  '>>> ',
  'mysql> ',
  'Verification code: ',
])('%j is a question', end => {
  expect(promptIn(`some output\n${end}`)?.advice).toMatch(/\w{4}/)
})

test.each([
  '',
  '\n',
  'done\n',
  'Compiling…',
  'Why would it fail? Because of this.\n',
  'What is the answer?\n',
  'Downloading 45%',
  'npm warn deprecated\n',
  'The password was changed.\n',
  'password: updated for 3 users\n',
  'Listening on http://localhost:3000',
  'Tests: 3 passed\n',
  'Enter the dragon\n',
  '$ make\n',
  'Checking the password:\n',
  'spin: ',
  'Working\n...',
  '  ➜  press h + enter to show help\n',
  'press h to show help, press q to quit\n',
  'Press Enter to rebuild\n',
])('%j is none', end => {
  expect(promptIn(end)).toBeUndefined()
})
