import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/chat.css'
import './styles/views.css'
import { App } from './app.tsx'
import { live } from './live.ts'

live.start()
render(<App />, document.getElementById('page') as HTMLElement)
