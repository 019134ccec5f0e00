import { Route, Switch } from 'wouter'
import { ROUTES } from '../routes/paths.ts'
import { SignIn } from '../sign-in/index.tsx'
import { TooltipProvider } from '../ui/tooltip.tsx'
import { Parts } from './screens.ts'
import { Shell } from './shell.tsx'

export const App = () => (
  <TooltipProvider>
    <Switch>
      <Route path={ROUTES.signIn}>
        <SignIn />
      </Route>
      {Parts !== null && (
        <Route path={ROUTES.parts}>
          <Parts />
        </Route>
      )}
      <Route>
        <Shell />
      </Route>
    </Switch>
  </TooltipProvider>
)
