import { render } from 'preact';

/** Draws the session panel into the page that the host made. */
function start(): void {
  const root = document.getElementById('root');
  if (root !== null) {
    render(<main />, root);
  }
}

start();
