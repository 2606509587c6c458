using System;

namespace App
{
    public partial class Form : IDisposable
    {
        private Button button;

        public Form()
        {
            Setup(); // calls Second.cs:Form.Setup
            OnReady(); // calls Second.cs:Form.OnReady
        }

        partial void OnReady();

        public void Dispose()
        {
            button.Press(); // calls Second.cs:Button.Press
        }
    }
}
