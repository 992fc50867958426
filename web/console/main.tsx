import { startApp } from '../ui/app.tsx';
import { routes } from './routes.tsx';

startApp(routes, { basename: '/console' });
