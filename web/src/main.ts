import { mount } from 'svelte';
import App from './lib/App.svelte';
import Editor from './lib/Editor.svelte';
import { LiveSource, takeToken } from './lib/live';
import './style.css';

mount(App, { target: document.getElementById('app')!, props: { source: new LiveSource(takeToken()), editor: Editor } });
