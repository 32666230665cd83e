import { mount } from 'svelte';
import App from './lib/App.svelte';
import { EmbeddedSource, embeddedData } from './lib/embedded';
import './style.css';

void embeddedData().then((data) => {
  // The summary is for readers without a script, and for print.
  document.getElementById('summary')!.className = 'print-only';
  mount(App, { target: document.getElementById('app')!, props: { source: new EmbeddedSource(data), editor: null } });
});
