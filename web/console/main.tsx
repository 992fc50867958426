import { startApp } from '../ui/app/app.tsx';
import { routes } from './routes.tsx';

// One page for both consoles, so that their shared code is loaded only once.
if (location.pathname.startsWith('/operate')) {
  const operate = await import('../operate/routes.tsx');
  startApp(operate.routes, { basename: '/operate' });
} else {
  startApp(routes, { basename: '/console' });
}
